import type { ComponentType } from 'preact';
import { chosenOf, Tabs } from '../shell/listing';
import { Page } from '../shell/parts';
import { mayManage, user } from '../shell/session';
import { Password, Sessions } from './account';
import { ApplicationPasswords } from './application-passwords';
import { Licence } from './licence';
import { Notifications } from './notifications';
import { Outbound } from './outbound-secrets';
import { Proof } from './proof';
import { Retention } from './retention';
import { Users } from './users';

type Section = {
  readonly id: string;
  readonly label: string;
  readonly parts: readonly ComponentType[];
  readonly who: () => boolean;
};

const everybody = () => true;
const managers = () => mayManage.value;
const administrators = () => user.value?.role === 'administrator';

const sections: readonly Section[] = [
  { id: 'account', label: 'Your account', parts: [Password, Sessions], who: everybody },
  { id: 'passwords', label: 'Application passwords', parts: [ApplicationPasswords], who: everybody },
  { id: 'users', label: 'Users', parts: [Users], who: administrators },
  { id: 'notifications', label: 'Notifications', parts: [Notifications], who: managers },
  { id: 'secrets', label: 'Outbound secrets', parts: [Outbound], who: managers },
  { id: 'log', label: 'The log', parts: [Proof, Retention], who: everybody },
  { id: 'licence', label: 'Licence', parts: [Licence], who: managers },
];

/** One part at a time, each with an address. */
export function SettingsPage() {
  const shown = sections.filter(({ who }) => who());
  const labels = Object.fromEntries(shown.map(({ id, label }) => [id, label]));
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
