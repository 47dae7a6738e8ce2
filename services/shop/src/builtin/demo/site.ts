/** What the demonstration shop has beyond what every shop has. */
export const demoOrderStatuses = [
  { key: 'packing', name: 'Being packed' },
  { key: 'ready-for-pickup', name: 'Ready for pickup' },
] as const;

export const demoShippingMethods = [
  { id: 'express', title: 'Express', description: 'On the next working day.' },
] as const;
