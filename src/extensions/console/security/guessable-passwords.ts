// What people often choose as a password, and what is therefore tried first by somebody who guesses: words, and rows of
// keys. From lists of passwords that became known in thefts. In lower case, with letters for the digits that stand for
// them.

/** Words of which passwords are made up to the required length. */
export const commonWords =
  `password passwort passwd pass word parola secret geheim hidden private login logon signin welcome willkommen
hello hallo letmein enter access open sesame changeme change default temp test testing guest user admin administrator root
master manager service system server support office company business school schule student teacher university college
credential certificate certificates registrar registry console computer internet network security secure safety website
web google facebook samsung apple iphone windows microsoft linux oracle cisco sony nokia ericsson playstation nintendo
iloveyou loveyou love lover loveme forever always family friend friends mother father sister brother baby angel heart
sunshine sonnenschein princess prince queen king lady sweet sweety honey flower butterfly beautiful happy smile lucky
monkey dragon tiger lion eagle falcon wolf horse kitty puppy cookie chocolate cheese orange banana pepper ginger coffee
football fussball baseball basketball hockey soccer tennis golf liverpool chelsea arsenal barcelona madrid yankees
superman batman spiderman starwars pokemon minecraft matrix phoenix shadow ranger hunter killer warrior ninja pirate
summer sommer winter spring autumn herbst january february march april june july august september october november
december monday tuesday wednesday thursday friday saturday sunday weihnachten christmas birthday freedom peace money
michael jackson jordan charlie thomas daniel andrew joshua matthew anthony robert william george david james john peter
martin stefan christian christopher alexander nicholas benjamin jessica jennifer michelle nicole amanda ashley samantha
elizabeth victoria maria anna laura sophie marina justin taylor maggie buster harley trustno qwertz abc jesus christ god
blessed heaven mustang ferrari mercedes porsche corvette camaro yamaha london berlin paris newyork america germany
diamond silver golden purple yellow black white green blue red hunter2 monkey1 fuck sex sexy bitch asshole whatever nothing
thunder merlin patrick richard bailey scooter maverick sparky mickey guitar chicken morgan peanut joseph smokey melissa
gateway monster diablo bulldog lakers iceman cowboy cowboys steelers brandon brandy barney chester oliver charles player
knight midnight chicago boston dallas austin houston jasper slayer rachel marine wizard casper fishing crystal jasmine
lauren winston madison panther gandalf heather hammer andrea boomer spider junior dakota miller scooby snoopy edward
steven nikita tigger golfer johnny daddy mommy bigdog hottie cutie pretty loser winner champion player1 startrek naruto
zelda mario sonic dexter bandit rocket rabbit turtle dolphin penguin panda bear shark snake tomato apple1 lemon cherry
strawberry vanilla sugar pizza hamburger turkey music dance singer rock metal metallica nirvana eminem beatles
something anything please thanks strong correct example sample demo production development`
    .split(/\s+/)
    .filter((word) => word.length > 2)

/** Keys next to each other, and what counts. Backwards as well. */
export const rowsOfKeys =
  `01234567890 abcdefghijklmnopqrstuvwxyz qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm yxcvbnm
1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0 1a2s3d4f5g6h7j8k9l a1s2d3f4g5h6j7k8l9 z1x2c3v4b5n6m7
1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik qazwsxedcrfvtgbyhnujmikolp zaq1xsw2cde3vfr4bgt5nhy6mju7 zaq12wsxcde34rfvbgt5
1qazxsw23edcvfr45tgbnhy6 qawsedrftgyhujikolp qazxswedcvfrtgbnhyujm zaqwsxcderfvbgtyhn qwaszxerdfcv
12qw34er56ty78ui 147258369 159753 1a2b3c4d5e6f a1b2c3d4e5f6 !@#$%^&*() !"§$%&/()= 1qa2ws3ed4rf5tg qweasdzxc
123qweasdzxc`.split(/\s+/)

/** Long ones that are one word, or a saying. */
export const commonPasswords = new Set(
  `unbelievable supernatural professional international intelligence transformers philadelphia peanutbutter entertainment
  scandinavian cosmopolitan sanfrancisco construction satisfaction cheeseburger civilization configuration pornographic
  masturbation masterbating motherfucker counterstrike finalfantasy needforspeed residentevil warhammer40k systemofadown
  mortalkombat necronomicon greenlantern nightcrawler stratocaster ticketmaster morganstanley websolutions businessbabe
  leavemealone iseedeadpeople whosyourdaddy jamesbond007 devilmaycry4 ingodwetrust thecakeisalie foreveryoung punksnotdead
  justinbieber edwardcullen avrillavigne massimiliano vladimirovna antananarivu chesterfield chickenwing101 lost4815162342
  correcthorsebatterystaple tobeornottobe thunderstorm independence grandmother grandfather congratulations
  responsibility architecture championship headquarters photography snowboarding skateboarding weltmeister
  bundesliga donaudampfschiff rindfleisch zusammenfassung butterflies relationship neighborhood opportunity`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
