import type { ComponentChildren } from 'preact';

/** Facts: their names, and what they are. What is undefined is left out. */
export function KeyValues({ rows }: { readonly rows: Readonly<Record<string, ComponentChildren | undefined>> }) {
  return (
    <dl class="kv">
      {Object.entries(rows)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
