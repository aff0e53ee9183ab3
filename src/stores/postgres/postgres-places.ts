import type { OwnerPlaces } from '../../util/owner-places.js';
import { retry } from '../shared/retry.js';
import { connectTo, isPassingInPostgres } from './postgres-database.js';
import { migratePostgres } from './postgres-schema.js';

/** How long an attempt waits for the database. */
const patienceMs = 3000;

/** Places that all servers of a database share. Those of a server count as long as its lease. */
export async function openPostgresPlaces(
  url: string,
  { server, limit }: { readonly server: string; readonly limit: number },
): Promise<OwnerPlaces & { close(): Promise<void> }> {
  await migratePostgres(url);
  const database = connectTo(url, { patienceMs });
  const patiently = <T>(request: () => Promise<T>): Promise<T> =>
    retry(request, { isPassing: isPassingInPostgres, patienceMs });
  return {
    take: (owner, id) =>
      patiently(() =>
        database.transaction(async (query) => {
          // One after the other, so that two servers cannot both take the last place.
          await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`cosession places of ${owner}`]);
          const taken = await query(
            `insert into cosession_places (id, owner, server)
             select $1, $2, $3 where $4 > (
               select count(*) from cosession_places as place join cosession_servers as holder on holder.id = place.server
               where place.owner = $2 and place.id <> $1 and holder.alive_until > clock_timestamp()
             )
             on conflict (id) do update set server = excluded.server returning id`,
            [id, owner, server, limit],
          );
          return taken.length > 0;
        }),
      ),
    leave: (ids) =>
      patiently(async () => void (await database.query('delete from cosession_places where id = any($1)', [ids]))),
    close: () => database.close(),
  };
}
