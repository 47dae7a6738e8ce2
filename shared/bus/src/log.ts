/** The log of an adapter; a pino logger fits. */
export type BusLog = {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
};

const ignore = (): void => undefined;

export const silent: BusLog = { info: ignore, warn: ignore, error: ignore };
