import { useState } from 'preact/hooks';
import { Button } from './parts';

/** Puts a text on the clipboard and says so. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return <Button text={copied ? 'Copied' : label} class="small" act={copy} />;
}
