/** Scripts that look for a way out of the sandbox; each returns what it found. */
export const HUNTS: Readonly<Record<string, string>> = {
  'the constructor of a helper':
    'return svc.log.constructor("return typeof process + typeof require + typeof globalThis.eval")();',
  'the constructor of an asynchronous function':
    'return (async () => {}).constructor("return [typeof process, typeof module]")();',
  'the constructor of a generator': 'return [...(function* () {}).constructor("yield typeof process")()];',
  'the constructor of the arguments': 'return event.constructor.constructor("return typeof process")();',
  'the constructor of a refusal': `return svc.getConnection().catch((error) =>
    error.constructor.constructor("return typeof process")());`,
  'the stack of a refusal': 'return svc.getConnection().catch((error) => String(error.stack));',
  'the stacks of wrong calls': `
    const acts = [() => new URL("::"), () => atob("!"), () => crypto.sha256(Symbol()), () => new TextDecoder("x"),
      () => btoa("€"), () => crypto.sha256("a", { toJSON() { throw 1; } }), () => setTimeout(),
      () => new svc.ScriptError(Symbol())];
    return acts.map((act) => { try { return String(act()); } catch (error) { return String(error.stack); } });`,
  'the frames of every stack': `
    Error.prepareStackTrace = (_, sites) => sites.map((site) => [site.getFileName(), site.getScriptNameOrSourceURL(),
      site.getEvalOrigin(), typeof site.getThis(), typeof site.getFunction()]);
    const error = await svc.getConnection().catch((one) => one);
    return [error.stack, new Error("a").stack];`,
  'a stack overflow in every helper': `
    const found = [];
    const note = (act) => { try { act(); } catch (error) { found.push(String(error.stack).slice(0, 500)); } };
    const down = (act) => { try { down(act); } catch { note(act); } };
    const acts = [() => svc.log("a"), () => svc.getMetadata(), () => new URL("https://a.example"), () => crypto.randomUUID()];
    acts.forEach(down);
    return found.slice(0, 50);`,
  'the caller of a function': `
    return [() => svc.log.caller, () => svc.log.arguments].map((act) => {
      try { return String(act()); } catch (error) { return error.message; }
    });`,
  'the names of everything global': `
    const names = /process|require|^module$|^global$|^Buffer$|ivm|WebAssembly|Atomics|^Shared|WeakRef|^eval$/i;
    return Object.getOwnPropertyNames(globalThis).filter((name) => names.test(name));`,
  'memory that is shared': 'return [typeof SharedArrayBuffer, typeof Atomics, typeof WebAssembly];',
  'the text of helpers': `
    return [svc.log, svc.getMetadata, URL, setTimeout, svc.ScriptError].map((helper) => String(helper).slice(0, 2000));`,
  'the module itself': 'return [Object.keys(import.meta), String(import.meta.url), String(Object.getPrototypeOf(import.meta))];',
};
