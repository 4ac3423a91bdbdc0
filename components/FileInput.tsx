import type { JSX, Ref } from "preact";
import { useRef } from "preact/hooks";

/**
 * A file input that keeps showing the file's name. Choosing the same file again is a change, too,
 * and leaving the dialog without choosing is none.
 */
export function FileInput(
  { inputRef, onFiles, ...attributes }: JSX.InputHTMLAttributes<HTMLInputElement> & {
    inputRef?: Ref<HTMLInputElement>;
    onFiles: (files: File[]) => void;
  },
) {
  const chosen = useRef(new Array<File>());
  return (
    <input
      {...attributes}
      ref={inputRef}
      type="file"
      onClick={({ currentTarget }) => {
        chosen.current = [...currentTarget.files!];
        currentTarget.value = "";
      }}
      onCancel={({ currentTarget }) => showFiles(currentTarget, chosen.current)}
      onChange={({ currentTarget }) => {
        if (currentTarget.files!.length > 0) onFiles([...currentTarget.files!]);
      }}
    />
  );
}

/** Shows files in an input as if they had been chosen there, without a change event. */
export function showFiles(input: HTMLInputElement, files: Iterable<File>): void {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
}
