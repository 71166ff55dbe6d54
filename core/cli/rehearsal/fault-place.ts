import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isObject, type ProviderDefinition } from '#contract';
import { thrownAt } from '../../catalogue/plugins/load.ts';
import { memberLine, PROVIDER_FILE, readProviderFile } from '../../catalogue/provider-file.ts';
import { ServiceError } from '../../errors.ts';
import { errorCode } from '../../kit/error-code.ts';
import { TemplateError } from '../../kit/template.ts';
import { RehearsalFault } from './step.ts';
import type { HookFailure } from './watched-plugin.ts';

const PLUGIN_FILE = 'plugin.ts';
const MAX_CAUSES = 5;
/** Forms of a definition whose fields an error may name. */
const FORMS = ['connection_config', 'credentials', 'integration_config'] as const;

/** Matches the beginning of the service's own messages about a hook, for example that it took too long. */
const HOOK_ERROR = /^(?:auth|connection|proxy|subscriptions)\.(\w+) of /;

type JsonPath = readonly (string | number)[];

interface SourceLine {
  readonly file: string;
  readonly line?: number;
}

/** The folders of a definition and of its plugin, one of which has the fault, and the definition as it was read. */
interface Folders {
  readonly directory: string;
  readonly pluginDirectory: string | undefined;
  readonly definition: ProviderDefinition;
}

interface Failed {
  readonly error: unknown;
  readonly hookFailure: HookFailure | undefined;
  /** The field of the definition that the step is about. */
  readonly path: JsonPath;
}

/** Returns the line that the author has to look at after a failed step. */
export async function placeOfFault(folders: Folders, { error, hookFailure, path }: Failed): Promise<SourceLine> {
  const { directory, pluginDirectory, definition } = folders;
  if (hookFailure !== undefined && pluginDirectory !== undefined) return placeOfHook(pluginDirectory, hookFailure);
  if (error instanceof RehearsalFault && error.place.file !== undefined) {
    const { file, line } = error.place;
    return { file, ...(line !== undefined && { line }) };
  }
  const places = [directory, ...(pluginDirectory === undefined ? [] : [pluginDirectory])];
  const thrown = causesOf(error).flatMap((cause) => places.map((place) => thrownAt(place, cause)));
  const found = thrown.find((place) => place !== undefined);
  if (found !== undefined) return found;
  const hook = HOOK_ERROR.exec(error instanceof Error ? error.message : '')?.[1];
  if (hook !== undefined && pluginDirectory !== undefined) return placeOfWord(pluginDirectory, hook);
  const own = error instanceof RehearsalFault ? error.place.path : pathOf(error, definition);
  return placeOfMember(directory, own ?? path, pluginDirectory);
}

/**
 * Returns the line of a field in the definition. `webhook` may be declared by the plugin instead, in which case the line is
 * there.
 */
async function placeOfMember(directory: string, path: JsonPath, pluginDirectory: string | undefined): Promise<SourceLine> {
  const file = await readProviderFile({ name: basename(directory), directory });
  const [member = ''] = path;
  if (file === undefined || 'faults' in file) return { file: join(directory, PROVIDER_FILE) };
  const isDeclared = isObject(file.value) && Object.hasOwn(file.value, member);
  if (member === 'webhook' && !isDeclared && pluginDirectory !== undefined) return placeOfWord(pluginDirectory, 'webhook');
  return { file: join(directory, PROVIDER_FILE), line: memberLine(file, path) };
}

async function placeOfHook(directory: string, { hook, error }: HookFailure): Promise<SourceLine> {
  return thrownAt(directory, error) ?? placeOfWord(directory, hook.split('.').at(-1) ?? hook);
}

/** Returns the last line of the plugin that contains the word: the declaration that names the hook. */
async function placeOfWord(directory: string, word: string): Promise<SourceLine> {
  const file = join(directory, PLUGIN_FILE);
  try {
    const lines = (await readFile(file, 'utf8')).split('\n');
    const at = lines.findLastIndex((line) => new RegExp(`\\b${word}\\b`).test(line));
    return at === -1 ? { file } : { file, line: at + 1 };
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return { file };
    throw cause;
  }
}

/** Returns the path of the definition's field that an error is about, if the error names it. */
function pathOf(error: unknown, definition: ProviderDefinition): JsonPath | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof TemplateError) return pathOfText(definition, `\${${cause.placeholder}}`, []);
    const field = cause instanceof ServiceError ? cause.details?.[0]?.path.at(-1) : undefined;
    const form = FORMS.find((name) => field !== undefined && Object.hasOwn(definition[name] ?? {}, field));
    if (form !== undefined && field !== undefined) return [form, field];
  }
  return undefined;
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) causes.push(cause);
  return causes;
}

function pathOfText(value: unknown, text: string, path: JsonPath): JsonPath | undefined {
  if (typeof value === 'string') return value.includes(text) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = pathOfText(member, text, [...path, Array.isArray(value) ? Number(name) : name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
