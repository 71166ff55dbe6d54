import { useId, useState } from 'preact/hooks';
import { useWindow } from '../context.ts';
import { FailureNote } from '../failure-note.tsx';
import { SEARCH_FROM } from '../flow/search.ts';
import type { Screen } from '../flow/state.ts';
import { End, Heading } from '../frame.tsx';
import { Icon } from '../icon.tsx';

/** Asks which site, tenant or property the user means, if the sign-in gives access to several. */
export function Choice({ screen }: { readonly screen: Extract<Screen, { at: 'choosing' }> }) {
  const { window, t } = useWindow();
  const { form, options, isSending, failure } = screen;
  const name = form.display_name;
  const group = useId();
  const [chosen, setChosen] = useState('');
  const [query, setQuery] = useState('');
  const [isMissing, setMissing] = useState(false);
  const found = options.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()));
  // An option that the search hides does not count as chosen, since the user does not see it.
  const isChosen = found.some(({ id }) => id === chosen);
  const submit = (event: Event) => {
    event.preventDefault();
    setMissing(!isChosen);
    if (isChosen) void window.choose(chosen);
  };
  return (
    <main>
      <Heading>{t('choice_heading')}</Heading>
      <p class="lead">{t('choice_lead', { name })}</p>
      {options.length >= SEARCH_FROM && <Search query={query} onInput={setQuery} />}
      <form class="form" noValidate onSubmit={submit}>
        {failure && <FailureNote failure={failure} form={form} />}
        <fieldset class="choices" disabled={isSending}>
          <legend class="sr">{t('choice_heading')}</legend>
          {found.map(({ id, label }) => (
            <label class="radio" key={id}>
              <input type="radio" name={group} value={id} checked={chosen === id} onChange={() => setChosen(id)} />
              <span dir="auto">{label}</span>
            </label>
          ))}
        </fieldset>
        <p class="note" role="status" hidden={found.length > 0}>
          {found.length === 0 && t('search_empty', { query })}
        </p>
        <p class="err" role="alert">
          {isMissing && !isChosen && (
            <>
              <Icon name="warn" />
              {t('choice_required')}
            </>
          )}
        </p>
        <End>
          <button type="submit" class="btn primary" aria-disabled={isSending}>
            {isSending && <span class="spin" aria-hidden="true" />}
            {t('choice_submit')}
          </button>
          <button type="button" class="btn plain" onClick={() => window.startOver()}>
            {t('cancel')}
          </button>
        </End>
      </form>
    </main>
  );
}

function Search({ query, onInput }: { readonly query: string; readonly onInput: (query: string) => void }) {
  const { t } = useWindow();
  return (
    <div class="search">
      <Icon name="find" />
      <input
        class="input"
        type="search"
        placeholder={t('choice_search')}
        aria-label={t('choice_search')}
        value={query}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
