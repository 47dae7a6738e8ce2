import type { BusError } from '@order-automation/bus';
import type { Actor, Cause, Edition, RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { newProcessId, ServiceError } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import type { KnownCall } from './route';

/** What routes are given. */
export type Edge = {
  /** Asks another service; its refusals reach the caller unchanged. */
  ask<T extends RequestType>(type: T, input: RequestInput<T>): Promise<RequestOutput<T>>;
  /** Milliseconds since the epoch. */
  now(): number;
  readonly edition: Edition;
  /** Version of the software. */
  readonly version: string;
  readonly basePath: string;
};

/** Milliseconds: an answer is due within 3 s, also when a service is away. */
const patience = 2_500;

export function askOver(bus: ServiceDeps['bus']): Edge['ask'] {
  return async (type, input) => {
    try {
      return await bus.request(type, input, { timeout: patience });
    } catch (error) {
      if ((error as Partial<BusError>).code !== 'too_large') throw error;
      throw new ServiceError(413, 'rest_body_too_large', 'The request is too large to be handed on.');
    }
  };
}

/** Who changes a rule, for the audit log. What the caller says of itself is kept short. */
export function actorOf(call: KnownCall, edge: Edge, said?: { user_agent?: string; page_url?: string }): Actor {
  return {
    user: call.identity.name,
    process_id: newProcessId(edge.now()),
    user_agent: (said?.user_agent ?? call.header('user-agent'))?.slice(0, 300) ?? null,
    page_url: said?.page_url?.slice(0, 500) ?? null,
  };
}

/** A change of the shop that a person makes. */
export function causeOf(call: KnownCall, edge: Edge): Cause {
  return { process_id: newProcessId(edge.now()), depth: 0, author: call.identity.name };
}
