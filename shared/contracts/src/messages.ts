import type { z } from 'zod';
import { type Envelope, envelope, type Origin } from './envelope';
import { arrivalOrderRequests } from './messages/arrival-order';
import { auditRequests } from './messages/audit';
import { connectionRequests } from './messages/connections';
import { debugRequests } from './messages/debug';
import { deliveryRequests } from './messages/deliveries';
import { evaluationEvents, evaluationRequests } from './messages/evaluation';
import { eventSourceRequests } from './messages/event-source';
import { intakeEvents, intakeRequests } from './messages/intake';
import { intakeSettingsRequests } from './messages/intake-settings';
import { intakeEventsRequests } from './messages/intake-stored-events';
import { moneyRequests } from './messages/money';
import { rulesEvents, rulesRequests } from './messages/rules';
import { shopEvents, shopRequests } from './messages/shop';
import { shopConnectionRequests } from './messages/shop-connection';
import { shopRecordRequests } from './messages/shop-records';

/** Every event: its type is the subject it travels on, its schema what `data` must be. */
export const events = { ...intakeEvents, ...shopEvents, ...evaluationEvents, ...rulesEvents } as const;

/** Every request: its type is the subject, `input` and `output` what goes and comes. */
export const requests = {
  ...intakeRequests,
  ...connectionRequests,
  ...intakeSettingsRequests,
  ...intakeEventsRequests,
  ...eventSourceRequests,
  ...rulesRequests,
  ...shopRequests,
  ...shopRecordRequests,
  ...shopConnectionRequests,
  ...auditRequests,
  ...evaluationRequests,
  ...arrivalOrderRequests,
  ...deliveryRequests,
  ...moneyRequests,
  ...debugRequests,
} as const;

export type EventType = keyof typeof events;
export type MessageData<T extends EventType> = z.infer<(typeof events)[T]>;
export type Message<T extends EventType = EventType> = { [K in T]: Envelope<K, MessageData<K>> }[T];

export type RequestType = keyof typeof requests;
export type RequestInput<T extends RequestType> = z.infer<(typeof requests)[T]['input']>;
export type RequestOutput<T extends RequestType> = z.infer<(typeof requests)[T]['output']>;

/** Answers the requests of a type, with what it takes to do so. */
export type Answer<T extends RequestType, Deps> = (input: RequestInput<T>, deps: Deps) => Promise<RequestOutput<T>>;

/** Makes a message of a known type. */
export const message = <T extends EventType>(type: T, data: MessageData<T>, origin: Origin): Message<T> =>
  envelope(type, data, origin) as Message<T>;
