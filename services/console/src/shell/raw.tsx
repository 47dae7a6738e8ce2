/** Senders and services write these texts: some run from right to left. */
export function Raw({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
    <pre class="raw" dir="auto" tabIndex={0}>
      {text}
    </pre>
  );
}
