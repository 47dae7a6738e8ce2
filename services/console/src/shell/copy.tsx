import { useState } from 'preact/hooks';

/** Puts a text on the clipboard and says so. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {copied ? 'Copied' : label}
    </button>
  );
}
