import { useFilters } from '../../app/use-place.ts';
import { FilterChip, SelectFilter } from '../filter-bar.tsx';
import { ACTORS, actorWord } from './actors.ts';
import { t } from './texts.ts';

/** A filter by kind of actor; a link from another page can set it to a single actor. */
export function ActorFilter() {
  const { query, set } = useFilters();
  const [actor, id] = [query.get('actor'), query.get('actor_id')];
  if (actor !== null && id !== null) {
    const label = t('filter_actor', { name: actorWord(actor, id) });
    return <FilterChip label={label} onRemove={() => set({ actor: null, actor_id: null })} />;
  }
  return (
    <SelectFilter name="actor" label={t('actor')} choices={ACTORS.map((value) => ({ value, label: actorWord(value, null) }))} />
  );
}
