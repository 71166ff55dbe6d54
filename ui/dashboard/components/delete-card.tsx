import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from './card.tsx';

interface DeleteCardProps {
  /** What is deleted, as the title and on the button: "Delete integration". */
  readonly verb: string;
  /** A text that says what will be lost. */
  readonly consequence: string;
  /** False for members who may only read what would be lost. */
  readonly mayDelete: boolean;
  /** Returns the dialog that asks for a confirmation. */
  readonly dialog: (close: () => void) => ComponentChildren;
}

/** A card that says what a deletion means, with the button that begins it. */
export function DeleteCard({ verb, consequence, mayDelete, dialog }: DeleteCardProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={verb}>
      <p>{consequence}</p>
      {mayDelete && (
        <div class="actions spaced">
          <button type="button" class="btn danger" onClick={() => setAsking(true)}>
            {verb}
          </button>
        </div>
      )}
      {isAsking && dialog(() => setAsking(false))}
    </Card>
  );
}
