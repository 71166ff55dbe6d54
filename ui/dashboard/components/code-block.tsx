import { useId, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { CopyButton } from './copy-button.tsx';

const KEY = 'svc-snippet';

/** A piece of code to copy, in one or several languages. */
interface CodeBlockProps {
  /** Accessible name of the code. */
  readonly label: string;
  /** The code by the name of its tab: "curl", "Node fetch", "Node SDK". */
  readonly snippets: Readonly<Record<string, string>>;
}

/** Code with one button that copies it. The tab that was chosen last is selected in all code blocks. */
export function CodeBlock({ label, snippets }: CodeBlockProps) {
  const id = useId();
  const names = Object.keys(snippets);
  const [chosen, setChosen] = useState(lastChosen);
  const current = names.find((name) => name === chosen) ?? names[0] ?? '';
  const choose = (name: string) => {
    setChosen(name);
    remember(name);
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step === undefined ? undefined : names.at((names.indexOf(current) + step) % names.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    document.getElementById(`${id}-${names.indexOf(next)}`)?.focus();
  };
  const code = snippets[current] ?? '';
  return (
    <div class="code-block">
      <div class="code-head">
        {names.length > 1 && (
          <div class="tabs" role="tablist" aria-label={t('language')} onKeyDown={move}>
            {names.map((name, index) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`${id}-${index}`}
                aria-selected={name === current}
                aria-controls={`${id}-code`}
                tabIndex={name === current ? 0 : -1}
                onClick={() => choose(name)}
              >
                {name}
              </button>
            ))}
          </div>
        )}
        {names.length === 1 && <span class="small soft">{current}</span>}
        <CopyButton text={code} what={label} isWide />
      </div>
      <div {...(names.length > 1 && { role: 'tabpanel', id: `${id}-code`, 'aria-label': label })}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
        <pre class="code" tabIndex={0}>
          {code}
        </pre>
      </div>
    </div>
  );
}

/** Returns the tab that was chosen last; null when none was, or the browser denies access to storage. */
function lastChosen(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Without storage the choice holds until the user leaves the page.
  }
}
