import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import type { Settings } from '../gateways/settings';
import type { ReplayJobs } from '../inbox/replay-job-documents';
import type { Receiving } from '../receiving/receive';
import type { EventSource } from '../sources/source';
import type { Sources } from '../sources/source-documents';

/** What the answers to administrators are made from. */
export type Parts = Settings &
  Receiving &
  Pick<ServiceDeps, 'bus' | 'store'> & {
    readonly replayJobs: ReplayJobs;
    readonly sources: Sources;
    readonly eventSources: readonly EventSource[];
    readonly awaitingPayment: readonly string[];
  };

export type Handlers = { [T in RequestType]?: (input: RequestInput<T>) => Promise<RequestOutput<T>> };
