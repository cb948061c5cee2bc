import type { KeptPlan } from '../plan.ts';

export const SEED_1124678: KeptPlan = {
  story:
    'While two people are away for good, a booking and a cancellation without keys wait a day for their calendars. They end as they should; what waited for the world to come to rest went by their leases, and gave up after five hours.',
  isForgiving: false,
  waves: [
    {
      cells: ['deliver | post | answers 404', 'auto | caller | is cut before'],
      wanted: ['deliver 445605533', 'auto 1015111233', 'deliver 1185892923', 'auto 1314764248', 'bookfree 1121587682'],
      calamities: ['messages are lost 1583515122 76'],
    },
    {
      cells: ['learn | caller | never answers'],
      wanted: ['learn 1671753730', 'learn 792895632', 'bookfree 229045', 'deliver 1637409827', 'learn 1920654938'],
      calamities: [],
    },
    {
      cells: ['book | B | answers 500', 'book | C | answers 500'],
      wanted: ['book 1134515019', 'book 1346604799', 'deliver 1453648814', 'disconnect 1276260687', 'book 1953334615'],
      calamities: [],
    },
    {
      cells: ['learn | rate | dies before'],
      wanted: ['learn 954912673', 'bookfree 319396829', 'auto 934942853', 'connect 885717922', 'deliver 421971111'],
      calamities: ['access tokens run out 1880077816 60'],
    },
    {
      cells: ['search | rate | is late'],
      wanted: [
        'search 1511259413',
        'reschedule 1133874827',
        'disconnect 1329900867',
        'bookfree 344506681',
        'update 412078716',
      ],
      calamities: ['a person takes access away 1219548486 27'],
    },
    {
      cells: ['book | B | dies after', 'reschedule | rate | is cut after'],
      wanted: [
        'book 1734608597',
        'reschedule 1798481286',
        'update 1278257015',
        'bookfree 911577731',
        'update 163562099',
      ],
      calamities: ['pushes are lost 1556128728 24', 'Redis is emptied 1135208429 13'],
    },
    {
      cells: ['cancel | B | is late'],
      wanted: ['cancel 1879602563', 'book 2021156890', 'connect 775694363', 'auto 178706081', 'cancel 1894438005'],
      calamities: ['rows are held beyond a lease 797921846 28', 'pushes are lost 784484630 55'],
    },
    {
      cells: ['cancel | A | is cut after', 'job | claim | answers 500'],
      wanted: [
        'cancel 1189257520',
        'deliver 1058628476',
        'bookfree 1625521177',
        'auto 829790040',
        'bookfree 1710335178',
      ],
      calamities: ['old messages come again 192282289 76', 'pushes come late and twice 138938729 74'],
    },
    {
      cells: ['cancel | C | is cut before'],
      wanted: ['cancel 331593124', 'search 978438325', 'book 161560819', 'search 1584583211', 'disconnect 743012181'],
      calamities: ['old messages come again 1960132674 110'],
    },
    {
      cells: ['sweep | claim | never answers'],
      wanted: [
        'sweep 1536250689',
        'search 430337006',
        'update 711918794',
        'deliver 1141994610',
        'disconnect 432096846',
      ],
      calamities: [],
    },
  ],
};
