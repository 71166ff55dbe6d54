import { join } from 'node:path';
import type * as z from 'zod';
import { isObject, type ProviderDefinition } from '#contract';
import { NAMING_ALTERNATIVES } from '../kit/union-faults.ts';
import { type Fault, type Folder, listAllFolders, type Replacement } from './folders.ts';
import { type Proof, proofOfFiles } from './proof.ts';
import { providerDefinition } from './provider-definition.ts';
import { PROVIDER_FILE as FILE, faultOf, memberLine, type ProviderFile, readProviderFile } from './provider-file.ts';

/**
 * Maximum number of definitions that a definition extends, directly and indirectly. More are a mistake, and would slow down every
 * start.
 */
const MAX_BASES = 5;
/** Fields that a definition does not inherit from the one that it extends. */
const OWN = ['$schema', 'extends'];

/** One entry of the catalogue. The slug is the folder's name. */
export interface Provider {
  readonly slug: string;
  readonly definition: ProviderDefinition;
  readonly directory: string;
  /** True if the provider comes with the service; otherwise it is from one of the operator's folders. */
  readonly isBundled?: true;
  /** The proof that the provider's files give. */
  readonly proof: Proof;
  /** The operator's app, for integrations that have none of their own. It is not shown as a part of the provider. */
  readonly sharedApp?: SharedApp;
  /**
   * Why the provider cannot be used, such as a broken plugin. Existing integrations and connections still belong to the provider;
   * new integrations of it are refused.
   */
  readonly unusable?: string;
}

/** A developer app at a provider that any environment may connect with. Integrations cannot choose its scopes. */
export interface SharedApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty means the definition's `default_scopes`. */
  readonly scopes: readonly string[];
}

interface ReadProviders {
  readonly providers: readonly Provider[];
  readonly faults: readonly Fault[];
  readonly replacements: readonly Replacement[];
}

/**
 * Reads every `<dir>/<slug>/provider.json`. A broken file never hides the good ones. Of several folders with the same slug, the
 * first counts. The operator's file replaces a bundled one with the same slug even if it is broken, since the bundled one may
 * name other hosts.
 */
export function readProviders(dirs: readonly string[], bundled: readonly string[] = []): ReadProviders {
  const { folders, faults } = listAllFolders(dirs, bundled);
  const files = new Map<string, ProviderFile>();
  const own = new Map<string, Folder>();
  const replacements: Replacement[] = [];
  for (const folder of folders) {
    const found = readProviderFile(folder);
    if (found === undefined) continue;
    const first = files.get(folder.name);
    const replacing = own.get(folder.name);
    if (!folder.isBundled) own.set(folder.name, folder);
    if (folder.isBundled && replacing !== undefined) replacements.push(replacementOf(replacing, folder));
    else if ('faults' in found) faults.push(...found.faults);
    else if (first === undefined) files.set(folder.name, found);
    else faults.push(faultOf(folder, `the slug is already taken by ${first.folder.directory}`));
  }
  const read = [...files.values()].map((file) => readProvider(file, files));
  const providers = read.flatMap((one) => ('faults' in one ? [] : [one]));
  faults.push(...read.flatMap((one) => ('faults' in one ? one.faults : [])));
  return { providers, faults, replacements };
}

function replacementOf({ name, directory }: Folder, replaced: Folder): Replacement {
  return { folder: name, file: join(directory, FILE), replaced: join(replaced.directory, FILE) };
}

function readProvider(
  file: ProviderFile,
  files: ReadonlyMap<string, ProviderFile>,
): Provider | { readonly faults: readonly Fault[] } {
  const { folder } = file;
  const whole = extended(file, files);
  if (!('value' in whole)) return { faults: [whole] };
  const checked = providerDefinition.safeParse(whole.value, NAMING_ALTERNATIVES);
  if (checked.success) {
    const { name: slug, directory, isBundled } = folder;
    const proof = proofOfFiles(file.checked, isBundled === true);
    return { slug, definition: checked.data, directory, ...(isBundled && { isBundled }), proof };
  }
  const issues = checked.error.issues.flatMap(describeIssue);
  return { faults: issues.map(({ path, reason }) => faultOf(folder, reason, memberLine(file, path))) };
}

function describeIssue(issue: z.core.$ZodIssue): { path: (string | number)[]; reason: string }[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], reason: `unknown property "${[...path, key].join('.')}"` }));
  }
  return [{ path, reason: path.length === 0 ? issue.message : `${path.join('.')}: ${issue.message}` }];
}

/**
 * Overlays a definition on the one that its `extends` names, which may itself extend another: objects are merged field by field,
 * lists and texts replaced as a whole; `null` removes a field.
 */
function extended(file: ProviderFile, files: ReadonlyMap<string, ProviderFile>): { readonly value: unknown } | Fault {
  const layers: unknown[] = [];
  const seen = new Set<string>();
  let current = file;
  for (;;) {
    layers.unshift(current === file ? current.value : withoutOwn(current.value));
    seen.add(current.folder.name);
    const base = baseOf(current.value);
    if (base === undefined) break;
    const next = files.get(base);
    const reason = whyNot(base, { isKnown: next !== undefined, isSeen: seen.has(base), depth: seen.size });
    if (reason !== undefined || next === undefined) return faultOf(file.folder, reason ?? '', file.lineOf(['extends']));
    current = next;
  }
  return { value: layers.length === 1 ? file.value : layers.reduce(overlay) };
}

function whyNot(
  base: string,
  { isKnown, isSeen, depth }: { isKnown: boolean; isSeen: boolean; depth: number },
): string | undefined {
  if (isSeen) return `extends: "${base}" extends itself`;
  if (!isKnown) return `extends: there is no provider "${base}"`;
  return depth > MAX_BASES ? `extends: more than ${MAX_BASES} bases` : undefined;
}

/** Returns the slug that `extends` names; undefined if it is no text, which the definition's schema reports. */
function baseOf(value: unknown): string | undefined {
  const base = isObject(value) && Object.hasOwn(value, 'extends') ? value['extends'] : undefined;
  return typeof base === 'string' ? base : undefined;
}

function withoutOwn(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !OWN.includes(name))) : value;
}

function overlay(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [name, value] of Object.entries(over)) {
    if (value === null) merged.delete(name);
    else merged.set(name, overlay(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
