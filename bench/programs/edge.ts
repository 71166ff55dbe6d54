import { startProxy } from '../../test/support/proxy-harness.ts';

/** Our proxy behind our HTTP edge, with the look-up in memory: what the code itself costs. */
const [target = ''] = process.argv.slice(2);
const operation = {
  id: '',
  note: () => undefined,
  describe: () => undefined,
  end: () => undefined,
  endIn: async () => undefined,
};
const { edge } = await startProxy({
  proxy: { base_url: target },
  activity: { begin: () => operation, takesRoutine: () => false },
});
console.log(edge.port);
