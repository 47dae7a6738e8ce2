import type { BusError } from '@order-automation/bus';
import {
  type Actor,
  type Cause,
  check,
  type Edition,
  invalidParameters,
  newProcessId,
  type RequestOutput,
  requests,
  ServiceError,
} from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import type { AdministrationLog } from '../administration-log';
import type { Accounts } from '../auth/accounts';
import type { Installation } from '../collections/installation';
import type { MissedWebhooks } from '../collections/missed-webhooks';
import type { Notifications } from '../collections/notifications';
import type { ConsolePage } from '../console-page';
import type { Licence } from '../licence';
import type { ServedOpenApi } from '../openapi/json-schema';
import type { SecurityLog } from '../security-log';
import type { Telemetry } from '../telemetry';
import type { AskWithin, Call, KnownCall } from './call';

/** What handlers work with besides their call. */
export type Edge = {
  readonly ask: AskWithin;
  /** Milliseconds since the epoch. */
  now(): number;
  /** As of now, as is the licence: it can expire between two requests. */
  readonly edition: Edition;
  readonly licence: Licence;
  readonly version: string;
  readonly basePath: string;
  /** PUBLIC_URL, with `basePath`. */
  readonly publicUrl: string | undefined;
  /** Intake's state as of a second ago at most. */
  intakeStatus(): Promise<RequestOutput<'intake.status.v1'>>;
  /** What should be known about requests as they arrive; null when there is nothing. */
  arrivalWarning(): string | null;
  /** IANA name of the shop's time zone. */
  readonly timeZone: string;
  readonly accounts: Accounts;
  readonly notifications: Notifications;
  readonly installation: Installation;
  readonly missedWebhooks: Pick<MissedWebhooks, 'page' | 'count'>;
  readonly security: SecurityLog;
  readonly administration: AdministrationLog;
  readonly telemetry: Telemetry;
  /** This interface, as this installation serves it. */
  openApi(): ServedOpenApi;
  readonly consolePage: ConsolePage;
};

export function askOver(bus: ServiceDeps['bus']): AskWithin {
  return async (type, input, timeout) => {
    try {
      return await bus.request(type, input, { timeout });
    } catch (error) {
      const { code } = error as Partial<BusError>;
      if (code === 'too_large')
        throw new ServiceError(413, 'rest_body_too_large', 'The request or its answer is too large: ask for less.');
      // A limit of the message that its route does not state is the caller's to keep all the same.
      const checked = code === 'invalid_message' ? check(requests[type].input, input) : undefined;
      if (checked?.ok === false) throw invalidParameters(checked.violations);
      throw error;
    }
  };
}

/** A refusal for want of a licence says so when there was one that has expired. */
export function namingExpiry(ask: AskWithin, licence: () => Licence): AskWithin {
  return async (type, input, timeout) => {
    try {
      return await ask(type, input, timeout);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'svc_licence_required') throw error;
      const { expires_at, message } = licence();
      if (expires_at === null) throw error;
      throw new ServiceError(error.status, error.code, `${error.message} ${message}`, error.data);
    }
  };
}

/** The whole address of a path below `basePath`: as PUBLIC_URL says, else as the caller reached us. */
export function wholeUrl({ client, header }: Pick<Call, 'client' | 'header'>, edge: Edge, path: string): string {
  const { publicUrl, basePath } = edge;
  return `${publicUrl ?? `${client.https ? 'https' : 'http'}://${header('host') ?? ''}${basePath}`}${path}`;
}

export type SaveNote = {
  readonly action?: string | undefined;
  readonly user_agent?: string | undefined;
  readonly page_url?: string | undefined;
};

/** Who changes a rule, for the audit log. What the caller says of itself is kept short. */
export function actorOf(call: Pick<KnownCall, 'identity' | 'header'>, edge: Edge, note: SaveNote = {}): Actor {
  return {
    user: call.identity.name,
    process_id: newProcessId(edge.now()),
    action: note.action?.slice(0, 200) ?? null,
    user_agent: (note.user_agent ?? call.header('user-agent'))?.slice(0, 300) ?? null,
    page_url: note.page_url?.slice(0, 500) ?? null,
  };
}

/** A change of the shop that a person makes. */
export function causeOf({ identity }: Pick<KnownCall, 'identity'>, edge: Edge): Cause {
  return { process_id: newProcessId(edge.now()), depth: 0, author: identity.name };
}
