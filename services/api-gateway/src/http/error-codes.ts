import table from './error-codes.json';

export type ErrorCode = keyof typeof table;

/** Every refusal that the interface documents: its code, and by HTTP status what it means for the caller. */
export const errorCodes: Readonly<Record<ErrorCode, Readonly<Record<string, string>>>> = table;
