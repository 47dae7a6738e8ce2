import { useState } from 'preact/hooks';
import { Button } from './parts';

type CopyProps = {
  readonly text: string;
  /** What it copies, for users who do not see where the button is. */
  readonly of: string;
};

/** Puts a text on the clipboard and says so. */
export function Copy({ text, of }: CopyProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const word = copied ? 'Copied' : 'Copy';
  return <Button text={word} class="small" label={`${word} ${of}`} act={copy} />;
}
