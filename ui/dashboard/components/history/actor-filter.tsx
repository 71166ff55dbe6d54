import { useFilters } from '../../app/use-place.ts';
import { FilterChip, SelectFilter } from '../filter-bar.tsx';
import { ACTORS, type Actor, actorOf, actorWord } from './actors.ts';
import { t } from './texts.ts';

interface ActorFilterProps {
  /** Single actors, which can be chosen besides the kinds of actors. */
  readonly people?: readonly Actor[];
}

/** A filter by kind of actor, or by a single actor, which also a link from another page can set. */
export function ActorFilter({ people = [] }: ActorFilterProps) {
  const { query, set } = useFilters();
  const [kind, id] = [query.get('actor'), query.get('actor_id')];
  if (kind !== null && id !== null) {
    const name = people.find((one) => one.kind === kind && one.id === id)?.name ?? id;
    const label = t('filter_actor', { name: actorWord(kind, name) });
    return <FilterChip label={label} onRemove={() => set({ actor: null, actor_id: null })} />;
  }
  return (
    <SelectFilter
      name="actor"
      label={t('actor')}
      choices={[
        ...ACTORS.map((value) => ({ value, label: actorWord(value, null) })),
        ...people.map((actor) => ({ value: `${actor.kind} ${actor.id}`, label: actorOf({ actor }) })),
      ]}
      changesFor={(value) => {
        const [chosen = null, chosenId = null] = value.split(' ');
        return { actor: chosen, actor_id: chosenId };
      }}
    />
  );
}
