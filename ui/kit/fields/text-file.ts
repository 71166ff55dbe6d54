/** Maximum size of a file. Keys and certificates are far smaller, and the service does not accept more. */
const MAX_BYTES = 16_384;

export type FileFault = 'file_too_big' | 'file_unreadable';

/** Reads a file in the browser: its content is sent only when the form is submitted. */
export async function readTextFile(file: Blob): Promise<{ readonly text: string; readonly fault?: FileFault }> {
  if (file.size > MAX_BYTES) return { text: '', fault: 'file_too_big' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return { text };
  } catch {
    return { text: '', fault: 'file_unreadable' };
  }
}
