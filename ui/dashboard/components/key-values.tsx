import type { ComponentChildren } from 'preact';

/** A list of names and values. Undefined values are left out. */
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
