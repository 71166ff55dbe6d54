import { createServer } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import pg from 'pg';
import { clientConfig } from '../../core/db/client-config.ts';
import { tellPort } from './tell-port.ts';

/** Reads a row over HTTP using only those parts that the service, too, uses for this: a router, one SELECT by primary key. */
const [url = ''] = process.argv.slice(2);
const pool = new pg.Pool({ ...clientConfig(url), max: 10 });
const router = new Router();
router.get('/connections/:id', async (ctx) => {
  const { rows } = await pool.query('select * from connections where id = $1', [ctx.params['id']]);
  ctx.body = rows[0];
});
const app = new Koa();
app.use(router.routes());
tellPort(createServer(app.callback()));
