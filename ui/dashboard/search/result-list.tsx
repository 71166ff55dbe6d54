import { useEffect, useRef } from 'preact/hooks';
import { Logo, Monogram } from '../../kit/logo.tsx';
import { Badge } from '../components/badge.tsx';
import { Icon } from '../components/icon.tsx';
import { partsOf } from './matches.ts';
import type { Result, ResultGroup } from './results.ts';

interface ResultListProps {
  /** The ID of the list; that of the result with the number n is followed by `-n`. */
  readonly id: string;
  readonly groups: readonly ResultGroup[];
  /** The number of the chosen result, counted through all groups. */
  readonly chosen: number;
  readonly terms: readonly string[];
  readonly onChoose: (result: Result, inNewTab: boolean) => void;
  /** Called with the number of a result when the mouse points at it. */
  readonly onPoint: (at: number) => void;
}

/** The results of a search, by kind. */
export function ResultList({ id, groups, chosen, terms, onChoose, onPoint }: ResultListProps) {
  let at = -1;
  return (
    <div id={id} class="hits" role="listbox" aria-label={groups.map(({ title }) => title).join(', ')} tabIndex={-1}>
      {groups.map(({ title, results }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox consists of groups, not of fieldsets
        <div key={title} role="group" aria-label={title}>
          <p class="tiny faint" aria-hidden="true">
            {title}
          </p>
          {results.map((result) => {
            at += 1;
            const own = at;
            return (
              <Option
                key={result.key}
                id={`${id}-${own}`}
                result={result}
                isChosen={own === chosen}
                terms={terms}
                onChoose={(inNewTab) => onChoose(result, inNewTab)}
                onPoint={() => onPoint(own)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly result: Result;
  readonly isChosen: boolean;
  readonly terms: readonly string[];
  readonly onChoose: (inNewTab: boolean) => void;
  readonly onPoint: () => void;
}

function Option({ id, result, isChosen, terms, onChoose, onPoint }: OptionProps) {
  const { name, about, badge } = result;
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) own.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // The keys of an option are those of the field, which keeps the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={own}
      id={id}
      class="hit"
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      <Face {...result} />
      <span class="clip grow" title={name}>
        <Marked text={name} terms={terms} />
      </span>
      {about && (
        <span class="clip small soft" title={about}>
          <Marked text={about} terms={terms} />
        </span>
      )}
      {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
    </div>
  );
}

function Face({ face }: Pick<Result, 'face'>) {
  if ('person' in face) return <Monogram name={face.person} size="s" />;
  if ('icon' in face) return <Icon name={face.icon} />;
  return <Logo name={face.of} url={face.logo} size="s" />;
}

function Marked({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  return <bdi>{partsOf(text, terms).map((part) => (part.isFound ? <mark>{part.text}</mark> : part.text))}</bdi>;
}
