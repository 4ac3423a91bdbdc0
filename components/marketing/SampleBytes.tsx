/** The editable bytes of one event in the sample chain on the foundation's home page. */

interface SampleBytesProps {
  label: string;
  text: string;
  /** The first changed character and the one after the last, or null. */
  changed: [from: number, to: number] | null;
  editable: boolean;
  onText: (text: string) => void;
  /** Called with the index of the character that was clicked. */
  onByte: (index: number) => void;
}

/**
 * A text of which each character can be clicked. A text field of the same size lies below it, for
 * keyboards and screen readers.
 */
export function SampleBytes({ label, text, changed, editable, onText, onByte }: SampleBytesProps) {
  if (!editable) {
    return (
      <div class="stack">
        <code class="sample-text">{text}</code>
      </div>
    );
  }
  return (
    <div class="stack">
      <textarea
        class="sample-text"
        aria-label={label}
        value={text}
        rows={1}
        maxLength={300}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <code
        class="sample-text"
        aria-hidden="true"
        onClick={({ target }) => {
          const index = (target as HTMLElement).dataset.index;
          if (index !== undefined) onByte(Number(index));
        }}
      >
        {text.split("").map((character, i) => (
          <span
            key={i}
            data-index={i}
            class={changed && i >= changed[0] && i < changed[1] ? "changed" : undefined}
          >
            {character}
          </span>
        ))}
      </code>
    </div>
  );
}
