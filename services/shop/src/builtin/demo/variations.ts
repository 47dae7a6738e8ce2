/** Variations of variable products: what can be bought of them. */
export const demoVariations = [
  {
    id: 131,
    parent_id: 103,
    name: 'Yirgacheffe, 250 g - whole beans',
    sku: 'COF-YIRGA-250-B',
    price: '12.90',
    stock: 40,
  },
  { id: 132, parent_id: 103, name: 'Yirgacheffe, 250 g - ground', sku: 'COF-YIRGA-250-G', price: '13.40', stock: 20 },
  { id: 133, parent_id: 112, name: 'Ceramic Mug - blue', sku: 'EQ-MUG-BLUE', price: '14.00', stock: 30 },
  { id: 134, parent_id: 112, name: 'Ceramic Mug - green', sku: 'EQ-MUG-GREEN', price: '14.00', stock: 25 },
  { id: 135, parent_id: 116, name: 'Gift Card - by e-mail', sku: 'GIFT-CARD-MAIL', price: '25.00', virtual: true },
  { id: 136, parent_id: 116, name: 'Gift Card - printed', sku: 'GIFT-CARD-PRINT', price: '27.00' },
] as const;
