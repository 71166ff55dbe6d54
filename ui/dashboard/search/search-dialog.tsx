import { useId, useState } from 'preact/hooks';
import { useApp, useMay, useMe } from '../app/context.ts';
import type { Environment, Role } from '../app/replies.ts';
import { pathOf } from '../app/router.ts';
import { Dialog } from '../components/dialog.tsx';
import { Failure } from '../components/failure.tsx';
import { Icon } from '../components/icon.tsx';
import { type Address, createReconnectSession } from '../components/reconnect-session.ts';
import { useAction } from '../components/use-action.ts';
import { termsOf } from './matches.ts';
import { actionResults, pageResults } from './page-results.ts';
import { ResultList } from './result-list.tsx';
import { foundGroups, type Result, type ResultGroup, reconnectResults } from './results.ts';
import { t } from './texts.ts';
import { useFound } from './use-found.ts';

const MAX_TEXT = 255;

export interface SearchDialogProps {
  /** The environment in which the search looks. */
  readonly environment: Environment;
  readonly onClose: () => void;
}

/** The search for everything: a combobox over connections, integrations, operations, pages and actions (WAI-ARIA 1.2). */
export function SearchDialog({ environment, onClose }: SearchDialogProps) {
  const { navigation } = useApp();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const { groups, isSearching, error: failed } = useResults(environment, typed.trim());
  const results = groups.flatMap((group) => group.results);
  const chosen = Math.min(at, results.length - 1);
  const copy = useCopyReconnect(results.find(({ reconnect }) => reconnect)?.reconnect, onClose);
  const error = failed ?? copy.error;
  const choose = ({ href, reconnect }: Result, inNewTab: boolean) => {
    if (reconnect) return void copy.run();
    if (href === undefined) return;
    if (inNewTab) open(new URL(href, document.baseURI), '_blank', 'noreferrer');
    else navigation.go(href);
    onClose();
  };
  const move = (to: number) => results.length > 0 && setAt((to + results.length) % results.length);
  const onKeyDown = (event: KeyboardEvent) => {
    const result = results[chosen];
    if (event.key === 'ArrowDown') move(chosen + 1);
    else if (event.key === 'ArrowUp') move(chosen - 1);
    else if (event.key === 'Enter' && !event.isComposing) result && choose(result, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t('heading')} kind="search" onClose={onClose}>
      <div class="ask">
        <Icon name="find" />
        <SearchField
          value={typed}
          list={list}
          chosen={results.length === 0 ? undefined : `${list}-${chosen}`}
          onInput={(text) => {
            setTyped(text);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="kbd" onClick={onClose}>
          Esc
        </button>
      </div>
      {error && <Failure error={error} />}
      <ResultList id={list} groups={groups} chosen={chosen} terms={termsOf(typed)} onChoose={choose} onPoint={setAt} />
      {results.length === 0 && !isSearching && error === undefined && (
        <div class="nothing">
          <p class="strong">{t('nothing', { text: typed.trim() })}</p>
          <p class="small soft">{t('nothing_hint')}</p>
        </div>
      )}
      <p class="sr" role="status">
        {!isSearching && t.count('found', results.length)}
      </p>
      <Keys />
    </Dialog>
  );
}

interface SearchFieldProps {
  readonly value: string;
  /** The ID of the list of results. */
  readonly list: string;
  /** The ID of the chosen result. */
  readonly chosen: string | undefined;
  readonly onInput: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function SearchField({ value, list, chosen, onInput, onKeyDown }: SearchFieldProps) {
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into this field
      autoFocus
      type="text"
      role="combobox"
      aria-expanded="true"
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={chosen}
      aria-label={t('heading')}
      placeholder={t('placeholder')}
      autocomplete="off"
      spellcheck={false}
      maxLength={MAX_TEXT}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** Returns what is found for a text, by kind; pages and actions alone as long as nothing is typed. */
function useResults(environment: Environment, text: string) {
  const roles = { viewer: true, developer: useMay('developer'), admin: useMay('admin') };
  const visitor = { me: useMe(), environment, may: (role: Role) => roles[role] };
  const outcome = useFound(environment.name, text);
  const terms = termsOf(text);
  const found = text === '' ? undefined : outcome?.found;
  const reconnect = found && roles.developer ? reconnectResults(found, environment.name) : [];
  const all: readonly ResultGroup[] = [
    ...(found ? foundGroups(found, environment.name, { text: outcome?.text ?? text, terms }) : []),
    { title: t('pages'), results: pageResults(visitor, terms) },
    { title: t('actions'), results: [...reconnect, ...actionResults(visitor, terms)] },
  ];
  return {
    groups: all.filter(({ results }) => results.length > 0),
    isSearching: text !== '' && outcome?.text !== text,
    error: outcome?.error,
  };
}

/** Returns the action that makes a reconnect link and copies it; without a clipboard it leads to the connection's page. */
function useCopyReconnect(address: Address | undefined, onDone: () => void) {
  const { client, navigation, toast } = useApp();
  return useAction(async () => {
    if (address === undefined) return;
    const { environment, integration, id } = address;
    const { connect_link: link } = await createReconnectSession(client, address);
    await navigator.clipboard.writeText(link).then(
      () => toast(t('reconnect_copied')),
      () => navigation.go(pathOf(['e', environment, 'connections', integration, id, 'overview'])),
    );
    onDone();
  });
}

/** The keys that work in the dialog. */
function Keys() {
  return (
    <p class="keys tiny faint" aria-hidden="true">
      <span>
        <span class="kbd">↑</span> <span class="kbd">↓</span> {t('move')}
      </span>
      <span>
        <span class="kbd">Enter</span> {t('open')}
      </span>
      <span>
        <span class="kbd">Ctrl Enter</span> {t('new_tab')}
      </span>
    </p>
  );
}
