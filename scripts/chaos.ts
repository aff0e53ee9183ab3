// npm run chaos -- --help: kills the server in the middle of its work and checks that nothing acknowledged is lost.
import { runChaos } from '../test/support/chaos/chaos.js';
import { type ChaosOptions, help, readOptions } from '../test/support/chaos/options.js';

const options = read();
if (options === undefined) process.stdout.write(help);
else if (options === 'wrong') process.exitCode = 2;
else process.exitCode = (await isUnbroken(options)) ? 0 : 1;

function read(): ChaosOptions | 'wrong' | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${String(error)}; see npm run chaos -- --help`);
    return 'wrong';
  }
}

async function isUnbroken(options: ChaosOptions): Promise<boolean> {
  const startedAt = performance.now();
  const where = options.cluster ? `--cluster --bus ${options.cluster}` : `--store ${options.store}`;
  let kills = 0;
  const progress = (): string =>
    `${kills} of ${options.kills} kills, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  const { tally, broken } = await runChaos(options, {
    onKilled() {
      if (++kills % 5 === 0) console.log(progress());
    },
    onRound({ seed, broken }) {
      console.log(`${progress()}: the round of seed ${seed} is over, ${broken.length} promises broken`);
      for (const text of broken) console.log(`  ${text}`);
      if (broken.length > 0) console.log(`Again: npm run chaos -- ${where} --kills 25 --seed ${seed}`);
    },
  });
  console.log(
    `\n${where.replaceAll('--', '')}, seed ${options.seed}, ${kills} kills, ${broken.length} promises broken\n${tally.table}`,
  );
  return broken.length === 0;
}
