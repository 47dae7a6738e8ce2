export const amount: { readonly minor: number; readonly text: string; readonly currency: string };

export function cardPayment(payment: { key: string; orderId: number; created: number }): {
  transaction: string;
  body: Buffer;
};

export function cardSignature(secret: string, body: Uint8Array, at: number): string;
