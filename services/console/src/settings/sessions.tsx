import { say } from '../shell/dialogs';
import { browserText } from '../shell/format';
import { useAction, useLoad } from '../shell/load';
import { Button, Card, Problem, Shown, Status, Table, Time } from '../shell/parts';
import { api } from '../shell/session';

/** Where one is signed in. */
export function Sessions() {
  const sessions = useLoad(() => api('GET /v1/auth/sessions'), []);
  const { busy, failure, run } = useAction();
  const finish = async (id: string) => {
    if (!(await run(() => api('DELETE /v1/auth/sessions/{id}', { params: { id } })))) return;
    say('The session is ended.');
    await sessions.reload();
  };
  return (
    <Card title="Where you are signed in" flush>
      <Problem failure={failure} />
      <Shown of={sessions} rows={3}>
        {({ sessions: list }) => (
          <Table heads={['Since', 'From', 'With', 'End']}>
            {list.map(({ id, created_at, address, user_agent, current }) => (
              <tr key={id}>
                <td>
                  <Time at={created_at} />
                </td>
                <td>{address}</td>
                <td>
                  <span title={user_agent ?? ''}>{browserText(user_agent)}</span>
                </td>
                <td>
                  {current ? (
                    <Status value="here" label="This one" tone="info" />
                  ) : (
                    <Button
                      text="End"
                      class="small"
                      disabled={busy}
                      label={`End the session from ${address}`}
                      act={() => finish(id)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Shown>
    </Card>
  );
}
