import type { ComponentType } from 'preact';
import { Page } from '../shell/parts';
import { address, to } from '../shell/router';
import { mayManage, user } from '../shell/session';
import { ApplicationPasswords } from './application-passwords';
import { Licence } from './licence';
import { Notifications } from './notifications';
import { Outbound } from './outbound-secrets';
import { Password } from './password';
import { Proof } from './proof';
import { Retention } from './retention';
import { Sessions } from './sessions';
import { Users } from './users';
import './settings.css';

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
  const section = shown.find(({ id }) => id === address.value.query.part) ?? shown[0];
  return (
    <Page title="Settings">
      <div class="settingsframe">
        <nav aria-label="Settings">
          <ul class="plain tabs">
            {shown.map(({ id, label }) => (
              <li key={id}>
                <a href={to('/settings', { part: id })} aria-current={id === section?.id ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="stack">
          {section?.parts.map((Part, index) => (
            <Part key={`${section.id}-${index}`} />
          ))}
        </div>
      </div>
    </Page>
  );
}
