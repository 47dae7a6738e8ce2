import type { Edition } from '@order-automation/contracts';

/** decisions.md section 8. `expires_at` null: it does not expire. */
export type Licence = {
  readonly active: boolean;
  readonly edition: Edition;
  readonly features: readonly string[];
  readonly expires_at: string | null;
  /** The demonstration licence, which nobody has bought. */
  readonly demonstration: boolean;
  readonly message: string;
};

/** What LICENCE_KEY entitles to. */
export function licenceOf(key: 'demo' | undefined): Licence {
  if (key === undefined) {
    const message = 'No licence: this installation is the default edition.';
    return { active: false, edition: 'default', features: [], expires_at: null, demonstration: false, message };
  }
  return {
    active: true,
    edition: 'extended',
    features: ['rule_debugging'],
    expires_at: null,
    demonstration: true,
    message: 'This is the demonstration licence: the extended edition, for trying it out.',
  };
}
