/** `svc scripts init` and `svc scripts types` write the declarations themselves here. */
import '../../../scripts-runtime/sandbox-globals.d.ts';
