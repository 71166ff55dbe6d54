import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Folder, makeFolders } from './folders.ts';
import { projectFolder } from './source-files.ts';

/** A webhook as the application received it, and the secret with which it is verified. */
export interface SignedMessage {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  /** The time of the verification in seconds since 1970; default: now. The Go program always uses the current time. */
  readonly now?: number;
}

interface Language {
  /** The language tag of the code blocks in the documentation. */
  readonly block: string;
  readonly file: string;
  /** The files of a program that reads messages as JSON from standard input, and writes the documented function's verdicts. */
  readonly driver: Readonly<Record<string, string>>;
  readonly command: readonly [string, ...string[]];
  readonly version: readonly [string, ...string[]];
}

const NODE_DRIVER = `
import { json } from 'node:stream/consumers';
import { isFromService } from './is-from-service.mjs';
const real = Date.now;
const verdicts = (await json(process.stdin)).map(({ body, headers, secret, now }) => {
  Date.now = now === undefined ? real : () => now * 1000;
  return isFromService(Buffer.from(body, 'base64'), headers, secret);
});
process.stdout.write(JSON.stringify(verdicts));`;

const PYTHON_DRIVER = `
import base64, json, sys, time
import receive
real = time.time
verdicts = []
for message in json.load(sys.stdin):
    now = message.get("now")
    time.time = real if now is None else lambda: now
    verdicts.append(receive.is_from_service(base64.b64decode(message["body"]), message["headers"], message["secret"]))
json.dump(verdicts, sys.stdout)`;

const GO_DRIVER = `package main

import (
	"encoding/json"
	"net/http"
	"os"

	"receive/receive"
)

func main() {
	var messages []struct {
		Body    []byte
		Headers map[string]string
		Secret  string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&messages); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, message := range messages {
		header := http.Header{}
		for name, value := range message.Headers {
			header.Set(name, value)
		}
		verdicts = append(verdicts, receive.IsFromService(message.Body, header, message.Secret))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}`;

export const LANGUAGES = {
  Node: {
    block: 'js',
    file: 'is-from-service.mjs',
    driver: { 'main.mjs': NODE_DRIVER },
    command: [process.execPath, 'main.mjs'],
    version: [process.execPath, '--version'],
  },
  Python: {
    block: 'py',
    file: 'receive.py',
    driver: { 'main.py': PYTHON_DRIVER },
    command: ['python3', 'main.py'],
    version: ['python3', '--version'],
  },
  Go: {
    block: 'go',
    file: 'receive/receive.go',
    driver: { 'main.go': GO_DRIVER, 'go.mod': 'module receive\n\ngo 1.19\n' },
    command: ['go', 'run', '.'],
    version: ['go', 'version'],
  },
} as const satisfies Record<string, Language>;

export type LanguageName = keyof typeof LANGUAGES;

/** Returns the code blocks of a language in docs/webhooks.md. */
export function documentedBlocks(block: string): string[] {
  const page = readFileSync(`${projectFolder}docs/webhooks.md`, 'utf8');
  return [...page.matchAll(new RegExp(`\`\`\`${block}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);
}

/** Tells whether this machine can run programs in a language. */
export async function isInstalled(language: LanguageName): Promise<boolean> {
  const [program, ...args] = LANGUAGES[language].version;
  const child = spawn(program, args, { stdio: 'ignore' });
  return await once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
}

/** Verifies messages by the function that docs/webhooks.md shows in a language. @returns its verdict on each message */
export async function verifyAsDocumented(language: LanguageName, messages: readonly SignedMessage[]): Promise<boolean[]> {
  const { block, file, driver, command } = LANGUAGES[language];
  const [code = ''] = documentedBlocks(block);
  await using folder: Folder = await makeFolders({ [file]: code, ...driver });
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: folder.path, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify(messages.map((message) => ({ ...message, body: message.body.toString('base64') }))));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (stdout === '') throw new Error(`${language} failed: ${stderr}`);
  return JSON.parse(stdout);
}
