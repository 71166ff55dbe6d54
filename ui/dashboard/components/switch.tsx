import { useId } from 'preact/hooks';

interface SwitchProps {
  readonly label: string;
  readonly help?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  /** Called on every change, which takes effect immediately, without a Save button. */
  readonly onChange: (isOn: boolean) => void;
}

/** A labelled on/off switch. */
export function Switch({ label, help, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div class="switch-row">
      <div class="grow">
        <label for={id}>{label}</label>
        {help && (
          <p class="help" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
      <input
        type="checkbox"
        role="switch"
        id={id}
        class="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        aria-describedby={help && `${id}-help`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
