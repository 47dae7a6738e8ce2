/** Why a webhook was refused: `code` for counters, `text` for the administrator who reads the log. */
export type Refusal = {
  readonly code: string;
  readonly text: string;
  /** The answer to the sender, for faults of the format. Absent: the one message for everything about authenticity. */
  readonly answer?: string;
  /** The sender has proved that it is one of ours, by a secret that is or was valid. */
  readonly isKnownSender?: true;
};

/** Section 4.3 of the specification, rule 3: the sender learns nothing about why it was not believed. */
export const notBelieved = 'The webhook could not be accepted.';

/** A refusal about who sent it: the reason is for the log alone. */
export const authenticityRefusal = (code: string, text: string): Refusal => ({ code, text });

/** A refusal of a sender that has proved itself. */
export const ofKnownSender = (refusal: Refusal): Refusal => ({ ...refusal, isKnownSender: true });

/** A refusal about what was sent: the sender may read the reason. */
export const formatRefusal = (code: string, text: string): Refusal => ({ code, text, answer: text });

/** What the sender of a refused webhook reads. */
export const answerTo = (refusal: Refusal): string => refusal.answer ?? notBelieved;
