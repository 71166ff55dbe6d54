import type { Program } from 'acorn';
import type { Language, ScriptEvent } from './event.ts';
import { brokenRules, exportsOf, literalTexts, mayBeCalled } from './module-rules.ts';
import { MAX_SOURCE_BYTES, SourceError, type SourceFault } from './source-fault.ts';
import { stripTypes } from './strip-types.ts';
import { parseModule, positionOf } from './syntax-tree.ts';

const MAX_SUBSCRIPTIONS = 100;
/** Matches the name of a type of webhook events. */
const SUBSCRIPTION = /^\P{Cc}{1,255}$/u;

export interface ScriptSource {
  readonly event: ScriptEvent;
  readonly language: Language;
  readonly source: string;
}

export interface Compiled {
  /** JavaScript for the sandbox, with the lines and columns of the source. */
  readonly code: string;
  /** Empty unless the script is a webhook script. */
  readonly webhookSubscriptions: readonly string[];
}

/**
 * Compiles a script, and checks that it has no imports and exports what its event calls.
 *
 * Malicious sources can occupy a parser for hours or crash it: only `Compiler` calls this, in a disposable thread.
 *
 * @throws SourceError for a source that is not a valid script
 */
export function compile({ event, language, source }: ScriptSource): Compiled {
  const bytes = Buffer.byteLength(source);
  if (bytes > MAX_SOURCE_BYTES)
    throw new SourceError({ code: 'source_too_large', message: `it has ${bytes} bytes; a script has at most 256 KB (262,144)` });
  const code = language === 'typescript' ? stripTypes(source) : source;
  const program = parseModule(code);
  const broken = brokenRules(program);
  if (broken.length > 0) throw new SourceError(...broken);
  return { code, webhookSubscriptions: event === 'on-webhook' ? webhookExports(program) : defaultExport(program, event) };
}

function defaultExport(program: Program, event: ScriptEvent): readonly string[] {
  const fault = functionFault(program, 'default', `a ${event} script needs \`export default async function (svc) { … }\``);
  if (fault !== undefined) throw new SourceError(fault);
  return [];
}

function webhookExports(program: Program): readonly string[] {
  const needed = 'an on-webhook script needs `export async function onWebhook(svc, event) { … }`';
  const faults = [functionFault(program, 'onWebhook', needed), subscriptionFault(program)].filter((one) => one !== undefined);
  if (faults.length > 0) throw new SourceError(...faults);
  return literalTexts(exportsOf(program).get('webhookSubscriptions')) ?? [];
}

function functionFault(program: Program, name: 'default' | 'onWebhook', needed: string): SourceFault | undefined {
  const exported = exportsOf(program);
  const value = exported.get(name);
  if (!exported.has(name)) return { code: 'export_missing', message: `it exports no \`${name}\`; ${needed}` };
  if (value === undefined || mayBeCalled(value)) return undefined;
  return { code: 'export_invalid', message: `its \`${name}\` is not a function; ${needed}`, at: positionOf(value) };
}

/** Checks the subscriptions. They are needed before the script runs, so they must be literals. */
function subscriptionFault(program: Program): SourceFault | undefined {
  const needed = "list the types of events, or '*' for all: `export const webhookSubscriptions = ['booking.created'];`";
  const exported = exportsOf(program);
  const value = exported.get('webhookSubscriptions');
  if (!exported.has('webhookSubscriptions'))
    return { code: 'export_missing', message: `it exports no \`webhookSubscriptions\`; ${needed}` };
  const texts = literalTexts(value);
  const at = value && { at: positionOf(value) };
  if (texts === undefined)
    return { code: 'export_invalid', message: `\`webhookSubscriptions\` must be a literal array of strings; ${needed}`, ...at };
  if (texts.length <= MAX_SUBSCRIPTIONS && texts.every((text) => SUBSCRIPTION.test(text))) return undefined;
  const limits = `\`webhookSubscriptions\` may have at most ${MAX_SUBSCRIPTIONS} strings of 1 to 255 characters`;
  return { code: 'export_invalid', message: limits, ...at };
}
