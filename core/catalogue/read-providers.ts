import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { type ProviderDefinition, SLUG } from '#contract';
import { errorCode } from '../kit/error-code.ts';
import { JsonError, parseWithLines } from '../kit/strict-json.ts';
import { type Fault, type Folder, listAllFolders, type Replacement } from './folders.ts';
import { providerDefinition } from './provider-definition.ts';

const FILE = 'provider.json';
const MAX_CHARACTERS = 262_144;

/** One entry of the catalogue. The slug is the folder's name. */
export interface Provider {
  readonly slug: string;
  readonly definition: ProviderDefinition;
  readonly directory: string;
  /** The operator's, for integrations that have none of their own. Not part of what is shown of a provider. */
  readonly sharedApp?: SharedApp;
  /** Why it cannot be used, such as a broken plugin: what exists keeps its name, nothing new is made of it. */
  readonly unusable?: string;
}

/** A developer app at a provider that any environment may connect with. Its scopes are not for an integration to choose. */
export interface SharedApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty: the definition's `default_scopes`. */
  readonly scopes: readonly string[];
}

interface ReadProviders {
  readonly providers: readonly Provider[];
  readonly faults: readonly Fault[];
  readonly replacements: readonly Replacement[];
}

/**
 * Reads every `<dir>/<slug>/provider.json`. A broken file never hides the good ones; of two equal slugs the first counts. An own
 * one takes the place of a bundled one of its name, also while it is broken: the bundled one may name other hosts.
 */
export async function readProviders(dirs: readonly string[], bundled: readonly string[] = []): Promise<ReadProviders> {
  const { folders, faults } = await listAllFolders(dirs, bundled);
  const providers = new Map<string, Provider>();
  const own = new Map<string, Folder>();
  const replacements: Replacement[] = [];
  for (const folder of folders) {
    const found = await readProvider(folder);
    if (found === undefined) continue;
    const first = providers.get(folder.name);
    const replacing = own.get(folder.name);
    if (!folder.isBundled) own.set(folder.name, folder);
    if (folder.isBundled && replacing !== undefined) replacements.push(replacementOf(replacing, folder));
    else if ('faults' in found) faults.push(...found.faults);
    else if (first === undefined) providers.set(folder.name, found);
    else
      faults.push({
        folder: folder.name,
        file: join(folder.directory, FILE),
        reason: `the slug is already taken by ${first.directory}`,
      });
  }
  return { providers: [...providers.values()], faults, replacements };
}

function replacementOf({ name, directory }: Folder, replaced: Folder): Replacement {
  return { folder: name, file: join(directory, FILE), replaced: join(replaced.directory, FILE) };
}

/** @returns undefined for a folder that is a plugin only */
async function readProvider(folder: Folder): Promise<Provider | { faults: Fault[] } | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(folder.directory, FILE));
  } catch (cause) {
    const code = errorCode(cause);
    return code === 'ENOENT' ? undefined : { faults: [faultOf(folder, `cannot be read (${code})`)] };
  }
  if (!isUtf8(bytes)) return { faults: [faultOf(folder, 'is not valid UTF-8')] };
  const definition = parseDefinition(folder, bytes.toString('utf8'));
  return Array.isArray(definition) ? { faults: definition } : { slug: folder.name, definition, directory: folder.directory };
}

function parseDefinition(folder: Folder, text: string): ProviderDefinition | Fault[] {
  if (!SLUG.test(folder.name)) {
    return [
      faultOf(folder, 'the folder name must be lower-case letters, digits and hyphens, at most 63, not beginning with a hyphen'),
    ];
  }
  if (text.length > MAX_CHARACTERS) return [faultOf(folder, `is longer than ${MAX_CHARACTERS} characters`)];
  try {
    const { value, lineOf } = parseWithLines(text);
    const checked = providerDefinition.safeParse(value);
    if (checked.success) return checked.data;
    return checked.error.issues.flatMap(describeIssue).map(({ path, reason }) => faultOf(folder, reason, lineOf(path)));
  } catch (cause) {
    if (cause instanceof JsonError) return [faultOf(folder, jsonFault(cause), cause.line)];
    throw cause;
  }
}

/** For the author of a file. */
export function jsonFault({ code, message, path }: JsonError): string {
  return code === 'malformed' ? `is not JSON: ${message}` : [path.slice(-1).join(''), message].filter(Boolean).join(': ');
}

function describeIssue(issue: z.core.$ZodIssue): { path: (string | number)[]; reason: string }[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], reason: `unknown member "${[...path, key].join('.')}"` }));
  }
  return [{ path, reason: path.length === 0 ? issue.message : `${path.join('.')}: ${issue.message}` }];
}

function faultOf(folder: Folder, reason: string, line?: number): Fault {
  return {
    folder: folder.name,
    file: join(folder.directory, FILE),
    ...(line !== undefined && { line }),
    reason,
    publicReason: reason,
  };
}
