import { Empty, Page } from './parts';

export function NotAllowed({ reason }: { reason: string }) {
  return (
    <Page title="No access">
      <Empty title={reason}>
        <p>An administrator can change your role in the settings.</p>
      </Empty>
    </Page>
  );
}
