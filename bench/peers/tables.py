"""The tables of bench/run-peers, from the lines that the drivers print."""
import statistics

BASE = ('Bullet', 'float32, 10 iterations')


def number(x, form='%.3g'):
    return '-' if x is None else form % x


def median(row, key):
    known = [line[key] for line in row if line.get(key) is not None]
    return statistics.median(known) if known else None


def settings(line):
    text = line['settings']
    if line.get('settle') and line['settled'] < 0.999 * line['settle']:
        text += ', rested %.2g of %.2g s only' % (line['settled'], line['settle'])
    return text


def timed(row):
    counts = [line['timed'] for line in row if line.get('ms') is not None]
    return '%d x %d' % (len(counts), min(counts)) if counts else '-'


def worst_contact(row):
    error = row[0].get('contact_error')
    return number(error and error / (9.81 * row[0]['h']), '%.1e')


def of_first(key, form):
    return lambda row: number(row[0].get(key), form)


MOTION = {  # by the kind of the scene: heading, how it is aligned, what stands there
    'rest': [('creep', '---:', lambda r: r[0]['drift']),
             ('fastest [m/s]', '---:', of_first('speed', '%.1e'))],
    'flow': [('mean displacement', '---:', lambda r: r[0]['drift']),
             ('mean fall [m]', '---:', of_first('mean_fall', '%.2g')),
             ('mean speed [m/s]', '---:', of_first('mean_speed', '%.2g'))],
    'verdict': [('creep or drift', '---:', lambda r: r[0]['drift']),
                ('fastest [m/s]', '---:', of_first('speed', '%.1e')),
                ('verdict', '---', lambda r: r[0]['verdict'])],
}
MOTION['packing'] = MOTION['rest']


def table(rows, kind):
    """rows: the lines of all rounds for each setting, a failed one with what went wrong as its verdict."""
    base = {r[0]['h']: median(r, 'ms') for r in rows if (r[0]['engine'], r[0]['settings']) == BASE}

    def ratio(row):
        mine, theirs = median(row, 'ms'), base.get(row[0]['h'])
        return number(mine / theirs if mine and theirs else None)

    columns = [('engine', '---', lambda r: r[0]['engine']), ('settings', '---', lambda r: settings(r[0]))]
    if len({row[0]['h'] for row in rows}) > 1:
        columns += [('h [s]', '---:', lambda r: '%g' % r[0]['h'])]
    columns += [('CPU ms a step, median', '---:', lambda r: number(median(r, 'ms'))),
                ('mean', '---:', lambda r: number(median(r, 'ms_mean'))), ('times Bullet', '---:', ratio),
                ('contacts', '---:', of_first('contacts', '%d')), *MOTION[kind],
                ('penetration [m]', '---:', of_first('depth', '%.1e')),
                ('missed %', '---:', of_first('missed', '%.3g')), ('error, worst', '---:', of_first('error_worst', '%.0e')),
                ('median', '---:', of_first('error_median', '%.0e')),
                ('worst contact [g h]', '---:', worst_contact), ('steps timed', '---:', timed)]
    if kind != 'verdict' and any(r[0].get('failed') for r in rows):
        columns += [('failed', '---', lambda r: r[0]['verdict'] if r[0].get('failed') else '')]
    lines = ['| ' + ' | '.join(c[0] for c in columns) + ' |', '|' + '|'.join(c[1] for c in columns) + '|']
    lines += ['| ' + ' | '.join(c[2](row) for c in columns) + ' |' for row in rows]
    return '\n'.join(lines)
