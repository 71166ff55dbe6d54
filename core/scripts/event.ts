/** The events of scripts, which are also the names of their files. */
export const SCRIPT_EVENTS = [
  'post-connection-creation',
  'pre-connection-deletion',
  'validate-connection',
  'on-webhook',
] as const;
export type ScriptEvent = (typeof SCRIPT_EVENTS)[number];

export const LANGUAGES = ['typescript', 'javascript'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns the name of the export to call. */
export function entryOf(event: ScriptEvent): 'default' | 'onWebhook' {
  return event === 'on-webhook' ? 'onWebhook' : 'default';
}

export function isScriptEvent(text: string): text is ScriptEvent {
  return SCRIPT_EVENTS.some((event) => event === text);
}
