import { useId } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { groupsOf, type Plane, wordOf } from './plane.ts';
import { t } from './texts.ts';

interface ScopeGroupsProps {
  readonly plane: Plane;
  readonly scopes: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (scopes: readonly string[]) => void;
}

/** Checkboxes that choose scopes, one by one or a whole group. */
export function ScopeGroups({ plane, scopes, fault, onChange }: ScopeGroupsProps) {
  const id = useId();
  const set = (names: readonly string[], isHeld: boolean) => {
    const others = scopes.filter((scope) => !names.includes(scope));
    onChange(isHeld ? [...others, ...names] : others);
  };
  return (
    <fieldset class="scope-groups" aria-describedby={fault && id}>
      <legend class="label">{t('chosen_scopes')}</legend>
      {groupsOf(plane).map(([group, all]) => (
        <fieldset key={group}>
          <legend class="sr">{t(`group_${group}`)}</legend>
          <Check
            label={t(`group_${group}`)}
            isWhole
            names={all}
            held={scopes}
            isFaulty={fault !== undefined}
            onChange={(isHeld) => set(all, isHeld)}
          />
          <div class="scope-group">
            {all.map((scope) => (
              <Check
                key={scope}
                label={wordOf(scope)}
                names={[scope]}
                held={scopes}
                onChange={(isHeld) => set([scope], isHeld)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {fault && (
        <p class="err" id={id}>
          <Icon name="warn" />
          <span>{fault}</span>
        </p>
      )}
    </fieldset>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isWhole?: boolean;
  /** The scopes that the checkbox stands for. */
  readonly names: readonly string[];
  readonly held: readonly string[];
  readonly isFaulty?: boolean;
  readonly onChange: (isHeld: boolean) => void;
}

/** A checkbox for scopes: checked, not checked, or indeterminate when only some of them are held. */
function Check({ label, isWhole = false, names, held, isFaulty = false, onChange }: CheckProps) {
  const count = names.filter((name) => held.includes(name)).length;
  return (
    <label class="check" title={isWhole ? undefined : names[0]}>
      <input
        type="checkbox"
        aria-invalid={isFaulty || undefined}
        checked={count === names.length}
        indeterminate={count > 0 && count < names.length}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{isWhole ? <b>{label}</b> : label}</span>
    </label>
  );
}
