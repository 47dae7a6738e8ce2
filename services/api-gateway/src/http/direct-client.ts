import { json } from 'node:stream/consumers';
import type { ServiceDeps } from '@order-automation/service';
import type { Request } from 'express';
import type { AnyCall, Client } from '../client';
import { errorAnswer, requestIdOf } from '../http-server/answers';
import { type Gate, handled, permitted } from './mount';
import type { Route } from './route';
import { validated } from './validate';

/** The request on whose behalf routes are called; `signal` aborts when its sender has gone. */
type Caller = { readonly req: Request; readonly signal: AbortSignal; readonly log: ServiceDeps['log'] };

/** Calls routes within this process, with the credentials of a request that has arrived. Access, validation and timeouts are those of each route. */
export function directClient(table: readonly Route[], gate: Gate, { req, signal, log }: Caller): Client {
  const rows = new Map(table.map((row) => [`${row.method} ${row.path}`, row]));
  const requestId = req.res ? requestIdOf(req.res) : '';
  const answer = async (row: Route, { params, query, body }: AnyCall) => {
    const by = { started: performance.now(), identity: await permitted(row, gate, req), signal };
    const received = validated(row, { params: texts(params), query: texts(query), body });
    const answer = await handled(row, gate, req, { ...by, ...received });
    return {
      status: 200,
      ...answer,
      body: row.kind === 'stream' ? await json(answer.body as AsyncIterable<string>) : answer.body,
    };
  };
  const send = async (name: string, call: AnyCall = {}) => {
    try {
      const row = rows.get(name);
      if (!row) throw new Error(`There is no route ${name}.`);
      return { ok: true, requestId, ...(await answer(row, call)) };
    } catch (error) {
      const { status, body, unexpected } = errorAnswer(error, gate.edge.basePath);
      if (unexpected) log.error({ err: error, request_id: requestId, route: name }, 'a request failed');
      return { ok: false, requestId, status, body };
    }
  };
  return send as Client;
}

/** Parameters travel as text. */
const texts = (values: AnyCall['params'] = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
