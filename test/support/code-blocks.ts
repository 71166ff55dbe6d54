/** Returns the blocks of code in a document that are in a language, without the indentation of blocks in lists. */
export function codeBlocks(text: string, language: string): string[] {
  const blocks = new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms');
  return [...text.matchAll(blocks)].map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}
