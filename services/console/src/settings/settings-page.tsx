import { chosenOf, Tabs } from '../shell/listing';
import { useGet } from '../shell/load';
import { NotAllowed } from '../shell/not-allowed';
import { Card, Facts, Page, Shown, Status, Time } from '../shell/parts';
import { address } from '../shell/router';
import { mayManage, user } from '../shell/session';
import { ApplicationPasswords, Outbound, Password, Sessions } from './credentials';
import { Erase } from './erase';
import { Notifications } from './notifications';
import { Proof, Retention } from './proof';
import { Shop } from './shop';
import { Users } from './users';

/** What the licence covers, and what the extended edition would add. */
function Licence() {
  const licence = useGet('GET /pro/v1/licence');
  return (
    <Card title="Licence">
      <Shown of={licence} rows={4}>
        {({ edition, active, expires_at, licensee, demonstration, message }) => (
          <div class="stack">
            <p>{message}</p>
            <Facts
              of={{
                Edition: <Status value={edition} tone={edition === 'extended' ? 'good' : 'quiet'} />,
                'Licensed to': licensee,
                Expires: (active || expires_at !== null) && <Time at={expires_at} />,
              }}
            />
            {(!active || demonstration) && (
              <p class="soft">
                The extended edition adds rule debugging, senders with their own secrets, outbound webhooks and e-mails,
                schedules, and more triggers and conditions. Set its key in <code>LICENCE_KEY</code>.
              </p>
            )}
          </div>
        )}
      </Shown>
    </Card>
  );
}

const everybody = () => true;
const managers = () => mayManage.value;
const administrators = () => user.value?.role === 'administrator';

const sections = [
  { id: 'account', label: 'Your account', parts: [Password, Sessions], who: everybody },
  { id: 'passwords', label: 'Application passwords', parts: [ApplicationPasswords], who: everybody },
  { id: 'shop', label: 'Shop', parts: [Shop], who: administrators },
  { id: 'users', label: 'Users', parts: [Users], who: administrators },
  { id: 'notifications', label: 'Notifications', parts: [Notifications], who: managers },
  { id: 'secrets', label: 'Outbound secrets', parts: [Outbound], who: managers },
  { id: 'log', label: 'The log', parts: [Proof, Retention, Erase], who: everybody },
  { id: 'licence', label: 'Licence', parts: [Licence], who: managers },
];

/** One part at a time, each with an address. */
export function SettingsPage() {
  const shown = sections.filter(({ who }) => who());
  const labels = Object.fromEntries(shown.map(({ id, label }) => [id, label]));
  const asked = sections.find(({ id }) => id === address.value.query.part);
  if (asked && !asked.who()) return <NotAllowed reason="Your role does not include these settings" />;
  const chosen = chosenOf('part', labels);
  return (
    <Page title="Settings" part={labels[chosen]}>
      <div class="settingsframe">
        <Tabs label="Settings" name="part" options={labels} class="tabs" />
        <div class="stack">
          {shown
            .find(({ id }) => id === chosen)
            ?.parts.map((Part, index) => (
              <Part key={`${chosen}-${index}`} />
            ))}
        </div>
      </div>
    </Page>
  );
}
