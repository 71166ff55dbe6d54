import { join } from 'node:path';
import ts from 'typescript';

/** What the compiler says of a folder with a `tsconfig.json`. */
export function compile(folder: string): readonly string[] {
  const file = join(folder, 'tsconfig.json');
  const { config, error } = ts.readConfigFile(file, ts.sys.readFile);
  if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  if (fileNames.length === 0) throw new Error(`${folder} has nothing to compile`);
  const program = ts.createProgram(fileNames, options);
  return [...errors, ...ts.getPreEmitDiagnostics(program)].map(({ file: source, messageText }) =>
    [source?.fileName, ts.flattenDiagnosticMessageText(messageText, '\n')].join(': '),
  );
}
