import { useApp, useMayHoldSecrets } from '../../app/context.ts';
import { useAction } from '../../components/use-action.ts';

interface ScriptSwitchProps {
  /** The path of the environment in the private interface. */
  readonly base: string;
  /** The `unique_key` of the integration. */
  readonly uniqueKey: string;
  readonly event: string;
  readonly isOn: boolean;
  readonly label: string;
}

export function scriptPath(base: string, key: string, event: string): string {
  return `${base}/integrations/${encodeURIComponent(key)}/scripts/${encodeURIComponent(event)}`;
}

/** A switch that enables or disables a script immediately. */
export function ScriptSwitch({ base, uniqueKey, event, isOn, label }: ScriptSwitchProps) {
  const { client, resources } = useApp();
  const mayChange = useMayHoldSecrets();
  const change = useAction(async () => {
    await client.send('PATCH', scriptPath(base, uniqueKey, event), { enabled: !isOn });
    resources.invalidate(`${base}/scripts`);
    resources.invalidate(`${base}/integrations/${encodeURIComponent(uniqueKey)}/scripts`);
  });
  return (
    <>
      <input
        type="checkbox"
        role="switch"
        class="switch"
        aria-label={label}
        checked={isOn}
        aria-checked={isOn}
        disabled={!mayChange || change.isRunning}
        onChange={() => void change.run()}
      />
      {change.error && <span role="alert">{change.error.message}</span>}
    </>
  );
}
