import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { errorCodes } from '../src/http/error-codes';
import type { Route } from '../src/http/route';
import { table } from '../src/routes';
import { exampleAddress, exampleAsk } from './examples';
import { type Running, sendWhenAvailable, startGateway } from './gateway';
import { denial, foreignIssuer, invite, type Who } from './people';

const rows: readonly Route[] = table;

describeLanes('every route, for everybody', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  let people: () => Promise<Who[]>;
  /** Until a row may have ended their sessions, or some of what they send expires. */
  let invited: Promise<Who[]> | undefined;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps, foreignIssuer);
    people = await invite(deps, running);
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  /** Who may do what is decided before a store is asked: on the distributed lane a third of the people try each route, in turn. */
  const share = lane.name === 'embedded' ? 1 : 3;

  test.each(rows.map((row, at): [string, Route, number] => [`${row.method} ${row.path}`, row, at]))(
    '%s',
    async (_name, row, at) => {
      // Each row sends wrong application passwords, of which an address has 20 a minute.
      deps.clock.advance(60_000);
      if (at % 5 === 0) invited = undefined;
      invited ??= people();
      for (const who of (await invited).filter((_, person) => (person + at) % share === 0)) {
        const ask = exampleAsk(row, who.headers);
        const { status, body } = await sendWhenAvailable(running.base, row.method, exampleAddress(row), ask);
        const wanted = denial(row, who);
        if (wanted) {
          expect({ who: who.name, status, code: body.code }).toEqual({ who: who.name, ...wanted });
          expect(body).toMatchObject({ message: expect.any(String), data: { status } });
        } else {
          const known = status in row.answers || (row.errors ?? []).some((code) => status in errorCodes[code]);
          expect({ who: who.name, status, known }).toEqual({ who: who.name, status, known: true });
        }
      }
      if (row.path.includes('/auth/')) invited = undefined;
    },
  );
});
